import type { Schemas } from "furniture-storefront-client";
import { checkbox, emailField, field, nameField, postalCodeField } from "../forms.ts";
import { type View, view } from "../page.ts";
import { answerOf, session, shop } from "../shop.ts";
import { Narrow } from "./sign-in.ts";

const pollMs = 500;

/** Uploads a picture, and waits until the shop has checked it. @returns the id by which a quote names it */
async function upload(file: File): Promise<string> {
  const body = { filename: file.name, content_type: file.type as Schemas["PictureType"], size: file.size };
  const { data } = await answerOf(shop.POST("/api/v1/media/fabric", { body }));
  const form = new FormData();
  for (const [name, value] of Object.entries(data.upload?.fields ?? {})) form.set(name, value);
  // Storage ignores what follows the file.
  form.set("file", file);
  const sent = await fetch(data.upload?.url ?? "", { method: "POST", body: form });
  if (!sent.ok) throw new Error("The picture did not arrive. Try another one.");
  const params = { path: { id: data.id } };
  let picture: Schemas["FabricUpload"] = data;
  while (picture.status === "pending") {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    picture = (await answerOf(shop.GET("/api/v1/media/fabric/{id}", { params }))).data;
  }
  if (picture.status === "rejected") throw new Error(picture.reason_message ?? "Try another picture.");
  return data.id;
}

/** A question, or a piece that the shop is to make, with a photo. */
export function Enquiry(): View {
  const { name, email } = session.value?.customer ?? {};
  async function submit(typed: Omit<Schemas["QuoteInput"], "items">, form: HTMLFormElement): Promise<string> {
    const photo = new FormData(form).get("photo");
    const upload_ids = photo instanceof File && photo.size > 0 ? [await upload(photo)] : [];
    const items = [{ custom: { title: "An enquiry from the shop" }, quantity: 1 }];
    const { data } = await answerOf(shop.POST("/api/v1/quotes", { body: { ...typed, items, upload_ids } }));
    form.reset();
    return `Thank you. We have your enquiry ${data.reference}, and answer within a working day.`;
  }
  return view`
    <${Narrow} title="Ask us, or have it made" button="Send" submit=${submit}>
      <p>Tell us what you have in mind. A photo of the room, the piece or the cloth helps.</p>
      ${nameField(name)}${emailField(email)}
      ${field({ name: "message", label: "What you have in mind", type: "textarea", required: true })}
      ${postalCodeField(undefined, { required: false })}
      <label class="field">
        Photo <small>(optional)</small>
        <input type="file" name="photo" accept="image/jpeg,image/png,image/webp,image/avif" />
      </label>
      ${checkbox("consent", "You may write to me about this", true)}
    <//>`;
}
