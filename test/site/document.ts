// A document without a browser, in which the programs of the pages run.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Window } from 'happy-dom';
import { vi } from 'vitest';

/** What a page's program finds in its global scope. Files and requests are those of Node. */
const GLOBALS = [
  'document',
  'history',
  'location',
  'navigator',
  'HTMLElement',
  'HTMLButtonElement',
  'HTMLFormElement',
  'HTMLInputElement',
  'HTMLTableElement',
  'HTMLTextAreaElement',
] as const;

/** The programs of the pages by their documents. */
const PROGRAMS = { 'index.html': 'sizing.ts', 'look-up.html': 'look-up.ts' };

/** The pages opened so far. Each runs its program anew, which the number in its address makes another module. */
let pages = 0;

export interface OpenPage {
  readonly window: Window;
  /** The text of an element; that of an element that is not shown is undefined. */
  text(id: string): string | undefined;
  /** The value of an input, which is changed first if another is given. */
  value(id: string, changed?: string): string;
  /** Texts of all elements that a selector finds. */
  texts(selector: string): string[];
  send(id: string, type: string, more?: Readonly<Record<string, unknown>>): Event;
  click(id: string): void;
}

/** Opens a page, and runs its program. `hash` is the end of its address. */
export async function openPage(page: keyof typeof PROGRAMS, hash = ''): Promise<OpenPage> {
  vi.unstubAllGlobals();
  const window = new Window({ url: `https://bloomery.example/${page}${hash}` });
  const html = readFileSync(new URL(`../../src/site/${page}`, import.meta.url), 'utf8');
  window.document.write(html.replaceAll(/<(?:script|link)\b.*$/gm, ''));
  for (const name of GLOBALS) vi.stubGlobal(name, window[name]);
  vi.stubGlobal('window', window);
  await import(`${fileURLToPath(new URL(`../../src/site/${PROGRAMS[page]}`, import.meta.url))}?${++pages}`);
  const at = (id: string) => {
    const found = window.document.getElementById(id);
    if (found === null) throw new Error(`there is no element ${id}`);
    return found;
  };
  const send = (id: string, type: string, more: Readonly<Record<string, unknown>> = {}) => {
    const event = Object.assign(new window.Event(type, { bubbles: true, cancelable: true }), more);
    at(id).dispatchEvent(event);
    return event as unknown as Event;
  };
  return {
    window,
    send,
    text(id) {
      const isHidden = at(id).closest('[hidden]') !== null;
      return isHidden ? undefined : (at(id).textContent ?? '');
    },
    value(id, changed) {
      const input = at(id) as unknown as HTMLInputElement;
      if (changed !== undefined) input.value = changed;
      return input.value;
    },
    texts: (selector) => [...window.document.querySelectorAll(selector)].map((one) => one.textContent ?? ''),
    click(id) {
      (at(id) as unknown as HTMLElement).click();
    },
  };
}
