import { expect, test } from 'vitest';
import { fromMarkdown } from '../../src/manual/markdown.ts';
import { display, filled, literal } from '../../src/manual/roff.ts';

// groff_man(7): a line that begins with a dot is a request, and roff prints these characters as others than typed.
test('no text is a request of roff, and each character can be copied', () => {
  expect(filled('.5 and 1')).toEqual(['\\&.5 and 1']);
  expect(display(['.TH x']).slice(3, 4)).toEqual(['\\&.TH x']);
  expect(literal(`-a \\t 'x' "y" ^ ~ \` ×`)).toBe('\\-a \\et \\(aqx\\(aq \\(dqy\\(dq \\(ha \\(ti \\(ga \\[u00D7]');
});

test('the Markdown of the documents is converted', () => {
  const text = `# Title

A *b* \`-c\`
and [d](../e.md), [f](#g).

### Sub

- **One** is
  one.
  - Two.

| a | b |
|---|---|
| \`c\` | *d*; e |

\`\`\`sh
- no item

.x
\`\`\`
`;
  expect(fromMarkdown(text, 'src/f')).toEqual([
    '.SH TITLE',
    '.PP',
    'A \\fIb\\fP \\fB\\-c\\fP and d (src/e.md), f.',
    '.SS Sub',
    '.IP \\(bu 2',
    '\\fBOne\\fP is one.',
    '.RS 2',
    '.IP \\(bu 2',
    'Two.',
    '.RE',
    ...['.TP', '\\fBc\\fP', '\\fId\\fP; e'],
    ...['.PP', '.RS 4', '.nf', '\\- no item', '', '\\&.x', '.fi', '.RE'],
  ]);
});
