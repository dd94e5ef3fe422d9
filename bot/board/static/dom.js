// Helpers for elements of the page.

const SVG = "http://www.w3.org/2000/svg";

/** The element with an id. */
export const byId = (id) => document.getElementById(id);

/** An element with properties and children; texts become text. */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** An element of a drawing. */
export function svgElement(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** Scroll a list, and only the list, until one of its items is seen completely. */
export function keepInSight(list, item) {
  const [wanted, seen] = [item.getBoundingClientRect(), list.getBoundingClientRect()];
  const middle = (seen.height - wanted.height) / 2;
  if (wanted.top < seen.top || wanted.bottom > seen.bottom) list.scrollTop += wanted.top - seen.top - middle;
}

let released = Promise.resolve();
addEventListener("pointerdown", ({ button, target }) => {
  if (button !== 0 || target.closest("select")) return; // an open list keeps the release to itself
  released = new Promise((resolve) => {
    const afterClick = () => setTimeout(resolve);
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, afterClick, { capture: true, once: true });
  });
}, true);

/** Wait while a button or a finger is pressed: what moves between press and release is not clicked. */
export function whenReleased() {
  return released;
}

/** Replace the items of a list. Those that stay are not touched, so that they keep the focus. */
export async function replaceItems(list, items) {
  await whenReleased();
  for (const old of [...list.children]) if (!items.includes(old)) old.remove();
  items.forEach((item, index) => item !== list.children[index] && list.insertBefore(item, list.children[index] ?? null));
}
