import type { Network } from "../../domain/Network.ts"

const option = (network: Network): string => `<option value="${network}">${network}</option>`

/** Where the problem of a field, or of the form or section of that name, is shown. */
const problem = (id: string): string => `<p class="problem" id="${id}-problem" role="alert"></p>`

/** What a field is described by: its hint, where it has one, and its problem. */
const described = (id: string, hint = false): string => `aria-describedby="${hint ? `${id}-hint ` : ""}${id}-problem"`

/** What stands on the page. Its parts are shown one after the other; without scripts it says what to do instead. */
export const markup = (networks: ReadonlyArray<Network>): string => `
<main>
<h1>API keys</h1>
<p>Get a key for the Account Close-out API by proving that you control an account. You sign a challenge in your own wallet; it is no
transaction of the ledger and moves nothing. What the key opens is described in <a href="/docs">the documentation</a>.</p>
<p class="note"><strong>Never paste a secret seed</strong> (it starts with S) here or anywhere else. This page only needs the signed challenge.</p>
<noscript><p class="note">This page needs JavaScript. The same can be done with any HTTP client: <code>POST /keys/challenge</code>,
<code>POST /keys/session</code>, then <code>/keys/mine</code>; see <a href="/docs">the documentation</a>.</p></noscript>
<p id="status" class="quiet" role="status" aria-live="polite"></p>

<section id="account" aria-labelledby="h-account">
<h2 id="h-account">1. Your account</h2>
<form id="ask">
<label for="network">Network</label>
<select id="network" name="network" ${described("network")}>${networks.map(option).join("")}</select>
${problem("network")}
<label for="address">Address (starts with G)</label>
<input id="address" name="address" class="mono" ${
  described("address")
} required maxlength="56" autocomplete="off" autocapitalize="characters"
spellcheck="false">
${problem("address")}
<button class="act">Get a challenge</button>
${problem("ask")}
</form>
</section>

<section id="signing" aria-labelledby="h-sign" hidden>
<h2 id="h-sign" tabindex="-1">2. Sign the challenge</h2>
<p>Open the challenge in a wallet or tool that signs transactions, sign it with the account's key, and paste the signed text below. An
account with several signers needs as many as its medium threshold asks for.</p>
<form id="open">
<label for="challenge">Challenge</label>
<textarea id="challenge" readonly></textarea>
<button type="button" id="copy-challenge">Copy the challenge</button>
<dl class="note"><dt>Network passphrase</dt><dd id="passphrase" class="mono"></dd><dt>Sign before</dt><dd id="before"></dd></dl>
<label for="signed">Signed challenge</label>
<textarea id="signed" ${described("signed")} required autocomplete="off" spellcheck="false"></textarea>
${problem("signed")}
<button class="act">Open my keys</button>
${problem("open")}
</form>
</section>

<section id="fresh" class="fresh" aria-labelledby="h-fresh" hidden>
<h2 id="h-fresh">Your new key</h2>
<label for="key">It is shown this once: save it where your server finds it.</label>
<textarea id="key" class="mono" readonly rows="2"></textarea>
<button type="button" id="copy-key">Copy the key</button>
<button type="button" id="hide-key">I have saved it</button>
</section>

<section id="mine" aria-labelledby="h-mine" hidden>
<h2 id="h-mine" tabindex="-1">3. Your keys</h2>
<p class="quiet">The session ends at <span id="ends"></span>, or when you leave this page.</p>
<form id="make">
<label for="label">Label for a new key (optional)</label>
<input id="label" ${described("label", true)} maxlength="64" autocomplete="off">
<p class="quiet hint" id="label-hint">A name by which you know the key again, for example the server that uses it.</p>
${problem("label")}
<label for="expiresAt">The new key expires</label>
<select id="expiresAt" ${described("expiresAt")}><option value="">never</option><option value="30">in 30 days</option>
<option value="90">in 90 days</option><option value="365">in a year</option></select>
${problem("expiresAt")}
<button class="act" id="create">Create a key</button>
${problem("make")}
</form>
<h3 id="h-list">Keys of this account</h3>
<label for="grace">When you rotate a key, the old one</label>
<select id="grace"><option value="0">ends at once</option><option value="3600">works for one more hour</option>
<option value="86400">works for one more day</option></select>
<p class="quiet hint">A use shows up under "Last used" within about ten seconds.</p>
<button type="button" id="refresh">Refresh the list</button>
${problem("list")}
<ul id="list" aria-labelledby="h-list"></ul>
</section>
</main>`
