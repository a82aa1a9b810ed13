// Package web serves games, analysis and the records of runs to a browser: JSON over HTTP for actions, one stream of server-sent events for each game.
// API.md beside this file is the contract; the client that uses it is in app/, its bundle in static/ is embedded.
//
// # Types
//
// A [Server] holds games in memory, a bounded number, and is an [net/http.Handler]; [Serve] puts it behind a listener with limits and timeouts. A game
// with its streams and searches is a room: one mutex, at most one search at a time. Searches share a pool of a few slots and wait in one queue, so
// that many games get equal turns; a live analysis gives its slot up when others wait.
//
// # What it promises
//
// Whatever a client sends or fails to read, memory, goroutines, games, streams and searches stay bounded, and the answer is an error that says what
// was wrong. Foreign hosts and origins are refused, which keeps other web pages and names that are bound anew to this machine out; outside loopback a token
// is needed. A client can name only players and models that the server offers, never a file. Who does not have a game's key can only watch. No game is kept over a
// restart: clients hold the game as text and make it again.
package web
