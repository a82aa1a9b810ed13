// The keys of the whole page, as users of Lichess and KaTrain expect them. The board's own keys are in control.ts.

export interface Key {
  key: string; // as KeyboardEvent.key, lower case; with "shift+" before it
  label: string; // as the help shows it
  text: string;
  plain: boolean; // a bare letter, which the person can switch off
  action: () => void;
}

// bindKeys listens for the keys, unless the person types into a field, a dialog is open or another handler took the key.
export function bindKeys(keys: Key[], plainAllowed: () => boolean): void {
  const map = new Map(keys.map((key) => [key.key, key]));
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isField(event.target) || document.querySelector("dialog[open]")) {
      return;
    }
    const name = event.key.toLowerCase();
    const key = map.get(event.shiftKey && /^[a-z]$/.test(name) ? `shift+${name}` : name);
    if (!key || (key.plain && !plainAllowed())) {
      return;
    }
    event.preventDefault();
    key.action();
  });
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.matches("input, textarea, select") || target.isContentEditable);
}
