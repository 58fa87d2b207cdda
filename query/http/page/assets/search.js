// Keys on the page. Everything works without this file: it only saves the hand a way.
//   /              to the box, unless something is being typed
//   Down, Up       from the box to the results and between them
//   Escape         back to the box
// Enter follows a link and Tab moves on, as everywhere. Keys with a modifier stay the browser's own.

const box = document.querySelector('#q');
const results = () => [...document.querySelectorAll('.hit .title')];

const isTyping = (element) =>
  element instanceof HTMLElement && (element.isContentEditable || element.matches('input, textarea, select'));

const focusBox = () => {
  box.focus();
  box.select();
};

/** The result before or behind the one in focus; before the first one stands the box. */
const move = (step) => {
  const links = results();
  const at = links.indexOf(document.activeElement);
  if (at + step < 0) focusBox();
  else links[Math.min(at + step, links.length - 1)]?.focus();
};

const inResults = () => document.activeElement?.closest('.hits') !== null;

document.addEventListener('keydown', (event) => {
  if (box === null || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = isTyping(document.activeElement);
  const fromBox = document.activeElement === box;
  const onResult = results().includes(document.activeElement);
  if (event.key === '/' && !typing) focusBox();
  else if (event.key === 'ArrowDown' && !event.shiftKey && (fromBox || onResult) && results().length > 0)
    move(1);
  else if (event.key === 'ArrowUp' && !event.shiftKey && onResult) move(-1);
  else if (event.key === 'Escape' && inResults()) focusBox();
  else return;
  event.preventDefault();
});
