import { createContext } from "preact";
import { useContext, useEffect, useId, useRef, useState } from "preact/hooks";
import { type View, view } from "./page.ts";
import { Refusal, bootstrap, explain } from "./shop.ts";

/** What the API said about members of the body that was sent. */
const Errors = createContext<Refusal["fields"]>({});

interface FormProps {
  /** Sends the body. A sentence that it returns is shown. */
  submit: (body: never, form: HTMLFormElement) => Promise<View | void>;
  button: string;
  children?: View;
}

/**
 * A form whose fields have the names of the members of a request's body, such as `shipping_address.city`, so that the
 * API's sentences about a member appear at its field.
 */
export function Form({ submit, button, children }: FormProps): View {
  const [problem, setProblem] = useState<unknown>();
  const [said, setSaid] = useState<View | void>();
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const alert = useRef<HTMLParagraphElement>(null);
  useEffect(() => alert.current?.focus(), [problem]);
  const fields = problem instanceof Refusal ? problem.fields : {};
  const others = Object.keys(fields).filter((path) => !form.current?.elements.namedItem(path));
  const sentences = [explain(problem), ...others.flatMap((path) => fields[path] ?? [])].join(" ");

  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (!form.current) return;
    setBusy(true);
    setProblem(undefined);
    await submit(valuesOf(form.current) as never, form.current).then(setSaid, setProblem);
    setBusy(false);
  }

  return view`
    <form ref=${form} onSubmit=${send}>
      ${problem !== undefined && view`<p class="problem" role="alert" tabindex="-1" ref=${alert}>${sentences}</p>`}
      <${Errors.Provider} value=${fields}>${children}<//>
      <button class="primary" disabled=${busy}>${busy ? "One moment …" : button}</button>
      <div role="status">${said}</div>
    </form>`;
}

interface ActionProps {
  label: string;
  /** Tells buttons with the same label apart, for those who hear them. */
  about?: string;
  kind?: "primary" | "plain";
  disabled?: boolean;
  /** A sentence that it returns is shown. */
  run: () => Promise<View | void>;
}

/** A button that does one thing, and says what came of it. */
export function Action({ label, about, kind = "plain", disabled = false, run }: ActionProps): View {
  const [said, setSaid] = useState<View | void>();
  const failed = (problem: unknown) => setSaid(view`<span class="error">${explain(problem)}</span>`);
  return view`
    <button type="button" class=${kind} disabled=${disabled} onClick=${() => run().then(setSaid, failed)}>
      ${label}${about && view`<span class="hidden">: ${about}</span>`}
    </button>
    <span role="status">${said}</span>`;
}

interface FieldProps {
  name: string;
  label: string;
  hint?: string;
  type?: "text" | "email" | "tel" | "password" | "number" | "textarea";
  value?: string | number | null | undefined;
  required?: boolean;
  [attribute: string]: unknown;
}

/** A labelled field. Further attributes are those of `input`. */
export const field = (props: FieldProps): View => view`<${Field} key=${props.name} ...${props} />`;

function Field({ label, hint, type = "text", value, ...attributes }: FieldProps): View {
  const id = useId();
  const error = useContext(Errors)[attributes.name]?.join(" ");
  const input = {
    ...attributes,
    id,
    type,
    defaultValue: value ?? "",
    "aria-invalid": error !== undefined,
    "aria-describedby": (error ?? hint) && `${id}-about`,
  };
  return view`
    <div class="field">
      <label for=${id}>${label}${!attributes.required && view` <small>(optional)</small>`}</label>
      ${type === "textarea" ? view`<textarea rows="4" ...${input}></textarea>` : view`<input ...${input} />`}
      <small id="${id}-about">${error && view`<span class="error">${error} </span>`}${hint}</small>
    </div>`;
}

export const checkbox = (name: string, label: string, required = false): View => view`
  <label class="check"><input type="checkbox" name=${name} required=${required} /> ${label}</label>`;

/** Radio buttons that are part of a form; the first is chosen. @param options labels by value */
export const radios = (name: string, legend: string, options: readonly (readonly [value: string, label: string])[]) =>
  view`
    <fieldset>
      <legend>${legend}</legend>
      ${options.map(
        ([value, label], index) => view`
          <label class="check" key=${value}>
            <input type="radio" name=${name} value=${value} defaultChecked=${index === 0} required /> ${label}
          </label>`,
      )}
    </fieldset>`;

/** What addresses of the shop's country need. */
const country = () => {
  const { countries, store } = bootstrap.value ?? {};
  return countries?.find(({ code }) => code === store?.country) ?? countries?.[0];
};

export const emailField = (value?: string | null): View =>
  field({ name: "email", label: "Email", type: "email", autocomplete: "email", value, required: true });
export const nameField = (value?: string): View =>
  field({ name: "name", label: "Name", autocomplete: "name", value, required: true });
export const phoneField = (value?: string | null): View =>
  field({ name: "phone", label: "Phone", type: "tel", autocomplete: "tel", value: value ?? "+91", required: true });
export const postalCodeField = (value?: string, more: Partial<FieldProps> = {}): View =>
  field({
    name: "postal_code",
    label: "PIN code",
    autocomplete: "postal-code",
    pattern: country()?.address.pattern ?? undefined,
    required: country()?.address.postal_code === "required",
    value,
    ...more,
  });

/** The fields of an address. @param within the body's member, with a dot @param postalCode chosen elsewhere */
export const addressFields = (within = "", postalCode?: string): View => [
  field({ name: `${within}line1`, label: "House and street", autocomplete: "address-line1", required: true }),
  field({ name: `${within}line2`, label: "Flat, floor, area", autocomplete: "address-line2" }),
  postalCodeField(postalCode, { name: `${within}postal_code`, readOnly: postalCode !== undefined }),
  field({ name: `${within}city`, label: "City", autocomplete: "address-level2", required: true }),
  country()?.address.states &&
    field({ name: `${within}state`, label: "State", autocomplete: "address-level1", list: "states" }),
  view`<datalist id="states">${country()?.address.states?.map(({ name }) => view`<option key=${name}>${name}</option>`)}</datalist>`,
  view`<input type="hidden" name="${within}country" value=${country()?.code} />`,
];

type Values = { [name: string]: unknown };

/** Reads the fields of a form, nested by the dots in their names; those without a value are left out. */
function valuesOf(form: HTMLFormElement): Values {
  const values: Values = {};
  for (const [name, value] of new FormData(form)) {
    const control = form.elements.namedItem(name);
    const type = control instanceof HTMLInputElement ? control.type : "";
    if (typeof value !== "string" || value.trim() === "") continue;
    if (type === "checkbox") put(values, name.split("."), true);
    else put(values, name.split("."), type === "number" ? Number(value) : value.trim());
  }
  return values;
}

function put(values: Values, [first = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) values[first] = value;
  else put((values[first] ??= {}) as Values, rest, value);
}
