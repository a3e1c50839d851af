#!/usr/bin/env node
import '../dist/js/cli.js';
