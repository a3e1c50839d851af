#!/usr/bin/env node
require('../dist/js/start.cjs');
