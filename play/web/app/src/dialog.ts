// A modal dialog on the browser's own <dialog>: title, close button, Escape, focus kept inside and given back.

import { h, type Child } from "./dom.ts";
import { icon } from "./icons.ts";

export function openDialog(title: string, ...content: Child[]): HTMLDialogElement {
  const id = "dialog-title";
  const dialog = h(
    "dialog",
    { "aria-labelledby": id, onclick: (event: MouseEvent) => event.target === dialog && dialog.close(), onclose: () => dialog.remove() },
    h(
      "div",
      { class: "dialog-body" },
      h("header", { class: "dialog-head" }, h("h2", { id }, title), h("button", { type: "button", class: "tool", "aria-label": "Close", onclick: () => dialog.close() }, icon("close"))),
      ...content,
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function field(label: string, input: HTMLElement, note = ""): HTMLLabelElement {
  return h("label", { class: "field" }, h("span", { class: "field-name" }, label), input, note ? h("span", { class: "faint" }, note) : null);
}

export function checkbox(label: string, checked: boolean, change: (on: boolean) => void): HTMLLabelElement {
  const input = h("input", { type: "checkbox", checked, onchange: () => change(input.checked) });
  return h("label", { class: "check" }, input, h("span", {}, label));
}

export function option(value: string, label: string, selected = false): HTMLOptionElement {
  return h("option", { value, selected }, label);
}
