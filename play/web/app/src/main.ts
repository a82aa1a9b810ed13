// Starts the page.

import { App } from "./app.ts";
import { applyTheme } from "./preferences.ts";
import { Session } from "./session.ts";

const session = new Session();
applyTheme(session.settings.theme);
const root = document.getElementById("app");
if (root) {
  new App(session, root);
  void session.begin();
}
