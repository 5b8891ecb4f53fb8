// Elements with text. Texts of modules become text nodes, never markup.

export type Child = Node | string | undefined;

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K, attributes: Record<string, string> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    e.setAttribute(key, value);
  }
  e.append(...children.filter((c) => c !== undefined));
  return e;
}

export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const e = document.getElementById(id);
  if (!(e instanceof type)) {
    throw new Error(`the page has no #${id}`);
  }
  return e;
}
