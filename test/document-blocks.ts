/** The code blocks of a section of a document in one language, in order. */
export function blocksIn(document: string, section: string, language: string): string[] {
  const [, text = ''] = document.split(`\n## ${section}\n`);
  const [own = ''] = text.split('\n## ');
  return [...own.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);
}
