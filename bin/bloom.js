#!/usr/bin/env node
require('../dist/js/cli.cjs');
