// The operator's forms: sent without leaving the page; the answer is shown below them.

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.hasAttribute("data-command")) return;
  event.preventDefault();
  const said = document.getElementById("said");
  const button = form.querySelector("button");
  button.setAttribute("aria-disabled", "true");
  said.textContent = "…";
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
      headers: { Accept: "application/json" },
    });
    const { ok, text } = await answer.json();
    if (answer.status === 401) location.assign("/login");
    said.textContent = text;
    said.classList.toggle("why", !ok);
  } catch (error) {
    said.textContent = `Not sent: ${error.message}`;
    said.classList.add("why");
  } finally {
    button.removeAttribute("aria-disabled");
  }
});
