/** A browser without a screen: keeps cookies by host, follows redirects step by step. */
export type Browser = {
  get(url: string): Promise<Response>;
  post(url: string, form: Record<string, string>): Promise<Response>;
  /** Follows redirects until a page answers; gives the page's address too. */
  follow(response: Response, at: string): Promise<{ response: Response; at: string }>;
  readonly jar: Map<string, string>;
};

const maxRedirects = 20;

export function openBrowser(jar = new Map<string, string>()): Browser {
  const request = async (url: string, init: RequestInit = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { ...init, redirect: "manual", headers: { ...(init.headers as Record<string, string>), cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ""] = set.split(";");
      const [name = "", ...value] = pair.split("=");
      if (/expires=Thu, 01 Jan 1970/i.test(set) || value.join("=") === "") jar.delete(name);
      else jar.set(name, value.join("="));
    }
    return response;
  };
  const browser: Browser = {
    jar,
    get: (url) => request(url),
    post: (url, form) =>
      request(url, {
        method: "POST",
        body: new URLSearchParams(form).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      }),
    async follow(response, at) {
      for (let hop = 0; hop < maxRedirects; hop++) {
        const location = response.headers.get("location");
        if (!location) return { response, at };
        at = new URL(location, at).href;
        response = await browser.get(at);
      }
      throw new Error("too many redirects");
    },
  };
  return browser;
}
