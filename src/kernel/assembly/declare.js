// A transform of the compiler. It writes the exports of the kernel as TypeScript, so that the type check finds calls
// with a wrong name or too few arguments.

const HEAD = `// The exports of the kernel, written by src/kernel/assembly/declare.js when the kernel is compiled.
`;

const EXPORTS = `
/** Addresses and counts are 32-bit numbers. A returned one may be negative: >>> 0 gives its value. */
export interface Exports {
`;

/** The address of an object of a class in kernel memory. Only addresses of this class have this type. */
const address = (name) => `
/** The address of ${name} in kernel memory. */
export type ${name}Address = number & { readonly of: '${name}' };
`;

/** The type in JavaScript: a bigint for 64 bits, a branded number for the address of a class, and else a number. */
function typeOf(type, classes) {
  const { name } = type.classReference ?? {};
  if (name !== undefined) {
    classes.add(name);
    return `${name}Address`;
  }
  if (type.toString() === 'void') return 'void';
  return type.toString() === 'u64' ? 'bigint' : 'number';
}

function declaration(name, element, classes) {
  const entry = element.instances?.get('');
  if (entry === undefined) return `  readonly ${name}: WebAssembly.Global;\n`;
  const { parameterTypes, returnType } = entry.signature;
  const names = entry.prototype.declaration.signature.parameters.map((parameter) => parameter.name.text);
  const parameters = names.map((parameter, i) => `${parameter}: ${typeOf(parameterTypes[i], classes)}`);
  return `  ${name}(${parameters.join(', ')}): ${typeOf(returnType, classes)};\n`;
}

export default class {
  afterCompile() {
    const { exports } = this.program.filesByName.get('src/kernel/assembly/index');
    const classes = new Set();
    const lines = [...exports].map(([name, element]) => declaration(name, element, classes));
    const addresses = [...classes].map(address);
    this.writeFile('dist/kernel.d.ts', `${HEAD}${addresses.join('')}${EXPORTS}${lines.join('')}}\n`, this.baseDir);
  }
}
