// The changes to a line of the source that a test should notice. Each operator takes one node of the syntax tree and makes texts that
// replace it.

/** A node of the ESTree from rolldown's parser. Offsets are in UTF-16 units of the text. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

/** A piece of the text and its replacement. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const BINARY: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
};

const CALLS: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  ceil: 'floor',
  floor: 'ceil',
  round: 'floor',
  some: 'every',
  every: 'some',
};

/** Statements with an effect, without which the source still parses. */
const REMOVED = ['ExpressionStatement', 'ReturnStatement', 'ContinueStatement', 'BreakStatement', 'ThrowStatement'];

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

/** TypeScript nodes around an expression; all other TypeScript nodes are types. */
const WRAPPERS = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'];

/** The child nodes that can run. */
export function children(node: Node): Node[] {
  const isRun = ({ type }: Node) => (!type.startsWith('TS') || WRAPPERS.includes(type)) && type !== 'ImportDeclaration';
  return Object.values(node).flat().filter(isNode).filter(isRun);
}

/** Replaces the operator in the text between two nodes, where no other operator can be. */
function operatorEdits(node: Node, source: string, others: readonly string[]): Edit[] {
  const [left, right] = [node.left as Node, node.right as Node];
  const operator = node.operator as string;
  const start = source.indexOf(operator, left.end);
  if (start < 0 || start >= right.start) return [];
  return others.map((text) => ({ start, end: start + operator.length, text }));
}

function binaryEdits(node: Node, source: string): Edit[] {
  return operatorEdits(node, source, BINARY[node.operator as string] ?? []);
}

function assignmentEdits(node: Node, source: string): Edit[] {
  const others = BINARY[(node.operator as string).slice(0, -1)] ?? [];
  return operatorEdits(
    node,
    source,
    others.map((other) => `${other}=`),
  );
}

/** Swaps && and ||, and replaces a fallback by either side alone. */
function logicalEdits(node: Node, source: string): Edit[] {
  if (node.operator !== '??') return operatorEdits(node, source, [node.operator === '&&' ? '||' : '&&']);
  return [node.left, node.right].map((side) => ({ ...spanOf(node), text: `(${textOf(side as Node, source)})` }));
}

function unaryEdits(node: Node, source: string): Edit[] {
  if (!['!', '-', '~'].includes(node.operator as string)) return [];
  return [{ ...spanOf(node), text: textOf(node.argument as Node, source) }];
}

function updateEdits(node: Node, source: string): Edit[] {
  const other = node.operator === '++' ? '--' : '++';
  const name = textOf(node.argument as Node, source);
  return [{ ...spanOf(node), text: node.prefix === true ? `${other}${name}` : `${name}${other}` }];
}

/** Replaces a number by its neighbours, and true by false. */
function literalEdits(node: Node, source: string): Edit[] {
  const { value } = node;
  const texts = typeof value === 'boolean' ? [`${!value}`] : otherNumbers(value, textOf(node, source));
  return texts.map((text) => ({ ...spanOf(node), text: text.startsWith('-') ? `(${text})` : text }));
}

/** The neighbours of the number of a literal, in any form of JavaScript; none for other literals. */
function otherNumbers(value: unknown, literal: string): string[] {
  if (typeof value === 'bigint') return [`${value + 1n}n`, `${value - 1n}n`];
  if (typeof value !== 'number') return [];
  if (Number.isSafeInteger(value)) return [`${value + 1}`, `${value - 1}`];
  // The kernel has integers of 64 bits. A double cannot distinguish them from their neighbours.
  const digits = literal.replaceAll('_', '');
  if (/^(\d+|0[xob][\da-f]+)$/i.test(digits)) return [`${BigInt(digits) + 1n}`, `${BigInt(digits) - 1n}`];
  return [`${value * 1.5}`, `${value / 1.5}`];
}

function conditionEdits(node: Node, source: string): Edit[] {
  const test = node.test as Node | null;
  return test === null ? [] : [{ ...spanOf(test), text: `!(${textOf(test, source)})` }];
}

function callEdits(node: Node, source: string): Edit[] {
  const callee = node.callee as Node;
  const name = callee.type === 'MemberExpression' ? (callee.property as Node) : callee;
  const other = name.type === 'Identifier' ? CALLS[textOf(name, source)] : undefined;
  return other === undefined ? [] : [{ ...spanOf(name), text: other }];
}

const OPERATORS: Readonly<Record<string, (node: Node, source: string) => Edit[]>> = {
  BinaryExpression: binaryEdits,
  AssignmentExpression: assignmentEdits,
  LogicalExpression: logicalEdits,
  UnaryExpression: unaryEdits,
  UpdateExpression: updateEdits,
  Literal: literalEdits,
  IfStatement: conditionEdits,
  WhileStatement: conditionEdits,
  ConditionalExpression: conditionEdits,
  CallExpression: callEdits,
};

/** All edits of a node. */
export function editsOf(node: Node, source: string): Edit[] {
  if (REMOVED.includes(node.type)) return [{ ...spanOf(node), text: ';' }];
  return OPERATORS[node.type]?.(node, source) ?? [];
}

function spanOf({ start, end }: Node): { readonly start: number; readonly end: number } {
  return { start, end };
}

function textOf(node: Node, source: string): string {
  return source.slice(node.start, node.end);
}
