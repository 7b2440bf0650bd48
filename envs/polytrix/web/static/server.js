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

  /** Send a file. */
  upload(path, file) {
    return this.ask(path, { method: "POST", body: file });
  }

  /** The lines of an answer as they come, each parsed. */
  async *lines(path, content, signal) {
    const answer = await this.fetch(path, { method: "POST", body: JSON.stringify(content), signal });
    if (!answer.ok) throw new Error(await trouble(answer));
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) yield JSON.parse(line);
    }
  }

  /** The answer, or an error with the server's words. */
  async ask(path, request) {
    const answer = await this.fetch(path, request);
    if (!answer.ok) throw new Error(await trouble(answer));
    return answer.json();
  }

  async fetch(path, request) {
    try {
      return await fetch(path, { ...request, headers: { Authorization: `Bearer ${this.key}` } });
    } catch (error) {
      if (request.signal?.aborted) throw error;
      throw new Error("The server is not responding. Start `polytrix table` again, and open the address that it prints.");
    }
  }
}

async function trouble(answer) {
  const content = await answer.json().catch(() => ({ error: `The server answered with error ${answer.status}.` }));
  return content.error;
}
