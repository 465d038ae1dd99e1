import type { Network } from "../../domain/Network.ts"

const option = (network: Network): string => `<option value="${network}">${network}</option>`

/** What stands on the page. Its parts are shown one after the other; without scripts it says what to do instead. */
export const markup = (networks: ReadonlyArray<Network>): string => `
<main>
<h1>API keys</h1>
<p>Get a key for the Account Close-out API by proving that you control an account. You sign a challenge in your own wallet; it is no
transaction of the ledger and moves nothing.</p>
<p class="note"><strong>Never paste a secret seed</strong> (it starts with S) here or anywhere else. This page only needs the signed challenge.</p>
<noscript><p class="note">This page needs JavaScript. The same can be done with any HTTP client: <code>POST /keys/challenge</code>,
<code>POST /keys/session</code>, then <code>/keys/mine</code>; see <a href="/docs">the documentation</a>.</p></noscript>
<p id="problem" role="alert"></p>
<p id="told" class="quiet" role="status" aria-live="polite"></p>

<section aria-labelledby="h-account">
<h2 id="h-account">1. Your account</h2>
<form id="ask">
<label for="network">Network</label>
<select id="network" name="network">${networks.map(option).join("")}</select>
<label for="address">Address (starts with G)</label>
<input id="address" name="address" class="mono" required maxlength="56" autocomplete="off" autocapitalize="characters" spellcheck="false">
<button class="act">Get a challenge</button>
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
<textarea id="signed" required autocomplete="off" spellcheck="false"></textarea>
<button class="act">Open my keys</button>
</form>
</section>

<section id="mine" aria-labelledby="h-mine" hidden>
<h2 id="h-mine" tabindex="-1">3. Your keys</h2>
<p class="quiet">The session ends <span id="ends"></span>, or when you leave this page.</p>
<div id="fresh" class="note" hidden>
<label for="key">Your new key. It is shown this once: keep it where your server finds it.</label>
<input id="key" class="mono" readonly>
<button type="button" id="copy-key">Copy the key</button>
<button type="button" id="hide-key">I have kept it</button>
</div>
<button type="button" class="act" id="create">Create a key</button>
<ul id="list"></ul>
</section>
</main>`
