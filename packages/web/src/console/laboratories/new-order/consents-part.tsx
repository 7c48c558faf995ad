import type { ReactNode } from 'react'
import { FormPart, type PartProps } from './part.tsx'

const CONSENTS: readonly [type: string, text: string][] = [
  ['hipaa-authorization', 'The patient lets their health data be passed on (HIPAA)'],
  ['terms-of-use', 'The patient agrees to the terms of use'],
  ['telehealth-informed-consent', 'The patient agrees to a physician who orders from afar'],
  ['notice-of-privacy-practices', 'The patient knows how their data are protected'],
  ['privacy-policy', 'The patient agrees to the privacy policy'],
  ['mobile-terms-and-conditions', 'The patient agrees to the terms of the app'],
]

interface ConsentsPartProps extends PartProps {
  /** Where nothing demands them that the server tells. */
  needed?: readonly string[]
}

/** What the patient agreed to; only what is ticked is told to anybody. */
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
          ? 'Without those that are marked as needed the order is refused.'
          : 'None is needed for this order. Tick those that the patient gave.'
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
              {needed.has(type) && <strong> (needed)</strong>}
            </span>
          </label>
        ))}
      </fieldset>
    </FormPart>
  )
}
