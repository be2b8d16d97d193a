/* The place of the keyboard on the page. */

const {useEffect} = window.preactHooks;

export function focusContent() {
  document.getElementById('content').focus({preventScroll: true});
}

/* Shows the start of the content, as a new page does. */
export function showStart() {
  focusContent();
  window.scrollTo(0, 0);
}

/* Moves the focus to the content if rendering the component removes the element that has it. */
export function useKeptFocus() {
  const focused = document.activeElement;
  useEffect(() => {
    if (focused?.isConnected === false) {
      focusContent();
    }
  });
}
