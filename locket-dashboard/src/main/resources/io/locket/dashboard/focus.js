/* The place of the keyboard on the page. */

const {useLayoutEffect} = window.preactHooks;

export function focusContent() {
  document.getElementById('content').focus({preventScroll: true});
}

/* Shows the start of the content, as a new page does. */
export function showStart() {
  focusContent();
  window.scrollTo(0, 0);
}

/* Moves the focus to the content if rendering the component removes the element that has it. An element that moves keeps it. */
export function useKeptFocus() {
  const focused = document.activeElement;
  useLayoutEffect(() => {
    if (focused?.isConnected === false) {
      focusContent();
    } else if (focused && focused !== document.body && document.activeElement === document.body) {
      focused.focus({preventScroll: true});
    }
  });
}
