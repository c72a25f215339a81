/** Sliders over two pictures of a page: the earlier one is shown up to where the control stands. */

export function slidePictures(): void {
  for (const slider of document.querySelectorAll<HTMLElement>('.slider')) {
    const over = slider.querySelector<HTMLElement>('.over');
    const control = slider.querySelector<HTMLInputElement>('input[type=range]');
    if (over === null || control === null) continue;
    const show = (): void => over.style.setProperty('clip-path', `inset(0 ${100 - control.valueAsNumber}% 0 0)`);
    control.addEventListener('input', show);
    show();
    slider.hidden = false;
  }
}
