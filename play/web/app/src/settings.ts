// The person's choices, kept in the browser.

export interface Settings {
  theme: "system" | "light" | "dark";
  coordinates: boolean;
  dots: boolean; // legal pawn moves when it is your turn
  walls: boolean; // every legal wall as a mark
  paths: boolean;
  heat: boolean;
  confirmTouch: boolean;
  shortcuts: boolean; // keys without Ctrl or Alt
}

const defaults: Settings = {
  theme: "system",
  coordinates: true,
  dots: true,
  walls: false,
  paths: false,
  heat: false,
  confirmTouch: true,
  shortcuts: true,
};

const place = "rampart.settings";

export function loadSettings(): Settings {
  return { ...defaults, ...remembered<Partial<Settings>>(place) };
}

export function saveSettings(settings: Settings): void {
  remember(place, settings);
}

// remembered reads a kept value; storage may be forbidden or hold anything, so nothing is also an answer.
export function remembered<T>(name: string): T | null {
  try {
    const text = localStorage.getItem(name);
    return text ? (JSON.parse(text) as T) : null;
  } catch {
    return null;
  }
}

export function remember(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Full or forbidden: the page works without it, until it is closed.
  }
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(name);
  } catch {
    // As above.
  }
}
