// The connection to the server. It comes back by itself, and asks for what was missed.

const FIRST_WAIT = 300; // milliseconds
const LONGEST_WAIT = 8000;
const TOO_FAST = 4429;

export class Connection {
  /**
   * token: the secret of the link; seen(): the version that the page shows, or -1;
   * received(message); online(connected).
   */
  constructor(token, { seen, received, online }) {
    Object.assign(this, { token, seen, received, online, wait: FIRST_WAIT, closed: false });
    this.open();
    window.addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
  }

  open() {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.socket = socket;
    socket.onopen = () => this.send({ type: "join", token: this.token, seen: this.seen() });
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "closed") this.closed = true;
      else {
        this.wait = FIRST_WAIT;
        this.online(true);
      }
      this.received(message);
    };
    socket.onclose = (event) => {
      if (this.socket !== socket || this.closed) return;
      this.online(false);
      if (event.code === TOO_FAST) this.wait = LONGEST_WAIT;
      this.timer = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
      this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
    };
  }

  /** Try at once, instead of when it is time. */
  hurry() {
    if (!this.closed && this.socket.readyState === WebSocket.CLOSED) this.open();
  }

  /** Send a message; false if there is no connection. */
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
