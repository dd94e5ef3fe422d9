// The switch between moving and drawing, for fingers and keys; a mouse may always draw with its right button.

/** Let a button switch; Escape goes back to moving. */
export function setUpDrawing(board, button) {
  const turn = (on) => {
    board.setDrawing(on);
    button.setAttribute("aria-pressed", on);
  };
  button.addEventListener("click", () => turn(!board.drawing));
  addEventListener("keydown", (event) => event.key === "Escape" && board.drawing && turn(false));
}
