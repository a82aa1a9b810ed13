// Making elements: the one helper that every view builds its nodes with, for HTML and for SVG.

type Value = string | number | boolean | null | undefined;
type Attributes = Record<string, Value | ((event: never) => void)>;
export type Child = Node | string | null | undefined | false;

const svgSpace = "http://www.w3.org/2000/svg";

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener); // onclick and the like
    } else {
      set(element, name, value);
    }
  }
  append(element, children);
  return element;
}

// h makes an HTML element; an attribute whose name starts with "on" and whose value is a function is a listener.
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

// s makes an SVG element.
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(svgSpace, tag), attributes, children);
}

// set writes an attribute: false, null and undefined take it away, true leaves it without a value.
export function set(element: Element, name: string, value: Value): void {
  if (value === false || value === null || value === undefined) {
    element.removeAttribute(name);
  } else {
    const text = value === true ? "" : String(value);
    if (element.getAttribute(name) !== text) {
      element.setAttribute(name, text);
    }
  }
}

export function append(parent: Element, children: Child[]): void {
  for (const child of children) {
    if (child) {
      parent.append(child);
    }
  }
}

// replace puts new children in the place of all old ones.
export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

// text changes an element's text only if it differs, so that screen readers and layout are left alone.
export function text(element: Element, value: string): void {
  if (element.textContent !== value) {
    element.textContent = value;
  }
}
