// A part of the compiler: beside the kernel it writes what that exports as TypeScript, so that who calls it with a wrong
// name, or with an argument too few, is told when types are checked.

const HEAD = `// What the kernel exports: made by src/kernel/assembly/declare.js when the kernel is compiled.

/** Where the parameters of a filter are: no other number will do. */
export type ParametersAddress = number & { readonly of: 'parameters' };

/** Where it is said where an array of bits is. */
export type BitArrayAddress = number & { readonly of: 'bit array' };

/** Where it is said which keys have which part of a filter. */
export type KeyRangesAddress = number & { readonly of: 'key ranges' };

/** Addresses and counts are 32-bit numbers. Those that come back can be negative: >>> 0 makes them what they stand for. */
export interface Exports {
`;

/** What goes from and to JavaScript: of 64 bits a bigint, all else, addresses too, a number. */
const TYPES = {
  u64: 'bigint',
  void: 'void',
  'src/kernel/assembly/parameters/Parameters': 'ParametersAddress',
  'src/kernel/assembly/flat/BitArray': 'BitArrayAddress',
  'src/kernel/assembly/key-ranges/KeyRanges': 'KeyRangesAddress',
};
const typeOf = (type) => TYPES[type] ?? 'number';

function declaration(name, element) {
  const entry = element.instances?.get('');
  if (entry === undefined) return `  readonly ${name}: WebAssembly.Global;\n`;
  const { parameterTypes, returnType } = entry.signature;
  const names = entry.prototype.declaration.signature.parameters.map((parameter) => parameter.name.text);
  const parameters = names.map((parameter, i) => `${parameter}: ${typeOf(parameterTypes[i].toString())}`);
  return `  ${name}(${parameters.join(', ')}): ${typeOf(returnType.toString())};\n`;
}

export default class {
  afterCompile() {
    const { exports } = this.program.filesByName.get('src/kernel/assembly/index');
    const lines = [...exports].map(([name, element]) => declaration(name, element));
    this.writeFile('dist/kernel.d.ts', `${HEAD}${lines.join('')}}\n`, this.baseDir);
  }
}
