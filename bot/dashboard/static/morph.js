// Makes a tree of elements equal to a fresh one, touching only what differs: what has the focus keeps it, and a picture
// that stays is not redrawn. Elements with an id are found again by it; what is marked data-keep is left alone. A board
// draws its own content, and stays flipped.

export function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) {
    old.replaceWith(fresh);
    return;
  }
  if (old.nodeType !== document.ELEMENT_NODE) {
    old.nodeValue = fresh.nodeValue;
    return;
  }
  if (old.hasAttribute("data-keep")) return;
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== "data-flipped") old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old.localName !== "chess-board") morphChildren(old, fresh);
}

function morphChildren(old, fresh) {
  const named = new Map([...old.children].filter(({ id }) => id).map((child) => [child.id, child]));
  let at = old.firstChild;
  for (const want of [...fresh.childNodes]) {
    const found = want.id ? named.get(want.id) : at && !at.id && at.nodeName === want.nodeName ? at : undefined;
    if (!found) {
      old.insertBefore(want, at);
      continue;
    }
    if (found === at) at = at.nextSibling;
    else old.insertBefore(found, at);
    morph(found, want);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}
