import type { ReactNode } from 'react'
import { FormPart, type PartProps } from './part.tsx'

const CONSENTS: readonly [type: string, text: string][] = [
  ['hipaa-authorization', 'The patient authorizes the disclosure of their health data (HIPAA)'],
  ['terms-of-use', 'The patient agrees to the terms of use'],
  ['telehealth-informed-consent', 'The patient consents to telehealth'],
  ['notice-of-privacy-practices', 'The patient has received the notice of privacy practices'],
  ['privacy-policy', 'The patient agrees to the privacy policy'],
  ['mobile-terms-and-conditions', 'The patient agrees to the terms of the app'],
]

interface ConsentsPartProps extends PartProps {
  /** Consents that are required where the server does not list them. */
  needed?: readonly string[]
}

/** Consents of the patient; the request contains only those that are ticked. */
export function ConsentsPart(props: ConsentsPartProps): ReactNode {
  const { draft, change, problems, demands, isTried } = props
  const needed = new Set<string>(props.needed ?? demands?.consents)
  const toggle = (type: string, isGiven: boolean) =>
    change({
      consents: isGiven
        ? [...draft.consents, type]
        : draft.consents.filter((other) => other !== type),
    })
  return (
    <FormPart
      id="consents"
      problems={problems}
      isTried={isTried}
      description={
        needed.size > 0
          ? 'The order is refused without the required consents.'
          : 'This order requires no consent. Tick those that the patient gave.'
      }
    >
      <fieldset className="choices">
        <legend className="visually-hidden">Consents of the patient</legend>
        {CONSENTS.map(([type, text]) => (
          <label key={type} className="check">
            <input
              type="checkbox"
              checked={draft.consents.includes(type)}
              onChange={({ currentTarget }) => toggle(type, currentTarget.checked)}
            />
            <span>
              {text}
              {needed.has(type) && <strong> (required)</strong>}
            </span>
          </label>
        ))}
      </fieldset>
    </FormPart>
  )
}
