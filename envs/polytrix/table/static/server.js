// Requests of the lobby, with its key.

const KEY = "polytrix-key";

export class Server {
  /** key: from the address that `polytrix table` has printed, or null to use the one that was kept. */
  constructor(key) {
    if (key) localStorage.setItem(KEY, key);
    this.key = key ?? localStorage.getItem(KEY) ?? "";
  }

  get(path) {
    return this.ask(path, {});
  }

  post(path, content) {
    return this.ask(path, { method: "POST", body: JSON.stringify(content) });
  }

  /** The answer, or an error with the server's words. */
  async ask(path, request) {
    let answer;
    try {
      answer = await fetch(path, { ...request, headers: { Authorization: `Bearer ${this.key}` } });
    } catch {
      throw new Error("The server does not answer. Start `polytrix table` again, and open the address that it prints.");
    }
    const content = await answer.json().catch(() => ({ error: `The server answers ${answer.status}.` }));
    if (!answer.ok) throw new Error(content.error);
    return content;
  }
}
