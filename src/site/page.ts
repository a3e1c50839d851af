// Functions of both pages for their documents.

/** The element with an id. Each page has all ids that its program names. */
export function element<E extends HTMLElement>(id: string, type: new () => E): E {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} with the id ${id}`);
  return found;
}

/** A new element with a text or children. */
export function made<N extends keyof HTMLElementTagNameMap>(
  name: N,
  content: string | readonly Node[],
  attributes: Readonly<Record<string, string>> = {},
): HTMLElementTagNameMap[N] {
  const node = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, value);
  node.append(...(typeof content === 'string' ? [content] : content));
  return node;
}
