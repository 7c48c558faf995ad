import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import { ChosenList, SearchPicker } from '../../components/search-picker.tsx'
import { describeBilling } from '../words.ts'
import { AddInsurance } from './add-insurance.tsx'
import { FormPart, type PartProps } from './part.tsx'

const BILLINGS = [
  'client_bill',
  'commercial_insurance',
  'patient_bill',
  'patient_bill_passthrough',
] as const

/** The payor: options that the account does not allow in the patient's state are disabled. */
export function PaymentPart(props: PartProps): ReactNode {
  const { draft, change, problems, demands, isTried } = props
  const allowed = demands?.billing_types
  return (
    <FormPart id="payment" problems={problems} isTried={isTried}>
      {!allowed && (
        <p className="quiet">
          The options depend on the laboratory and on the state of the patient.
        </p>
      )}
      <fieldset className="choice-cards">
        <legend className="visually-hidden">Who pays</legend>
        {BILLINGS.map((billing) => {
          const { label, meaning } = describeBilling(billing)
          const isRefused = allowed ? !allowed.includes(billing) : false
          return (
            <label key={billing} className="choice-card" data-disabled={isRefused || undefined}>
              <input
                type="radio"
                name="billing_type"
                checked={draft.billing === billing}
                disabled={isRefused && draft.billing !== billing}
                onChange={() => change({ billing })}
              />
              <span>
                <strong>{label}</strong>
                <span className="quiet">
                  {isRefused ? 'This laboratory does not allow it in this state.' : meaning}
                </span>
              </span>
            </label>
          )
        })}
      </fieldset>
      <Diagnoses {...props} />
      {draft.billing === 'commercial_insurance' && draft.person && (
        <Insurance {...props} userId={draft.person.id} />
      )}
    </FormPart>
  )
}

function Diagnoses({ draft, change }: PartProps): ReactNode {
  const { team } = useEnvironment()
  const isNeeded = draft.billing === 'commercial_insurance'
  return (
    <div className="stack">
      <ChosenList
        label="Chosen diagnoses"
        items={draft.diagnoses}
        nameOf={({ code, description }) => `${code} ${description}`.trim()}
        onRemove={({ code }) =>
          change({ diagnoses: draft.diagnoses.filter((other) => other.code !== code) })
        }
      />
      <SearchPicker<{ code: string; description: string }>
        name="diagnoses"
        label={`Diagnosis, ICD-10-CM${isNeeded ? '' : ' (optional)'}`}
        description={isNeeded ? 'Insurers require at least one.' : undefined}
        placeholder="Code or words, such as E11.9 or type 2 diabetes"
        search={async (words, signal) => {
          const query = { diagnosis_query: words.slice(0, 100) }
          const request = team.GET('/v3/insurance/search/diagnosis', { params: { query }, signal })
          return (await unwrapResponse(request)).slice(0, 30).map((diagnosis) => ({
            key: diagnosis.diagnosis_code,
            title: `${diagnosis.diagnosis_code} ${diagnosis.description}`,
            detail:
              diagnosis.is_secondary && draft.diagnoses.length === 0
                ? 'not as the first diagnosis'
                : undefined,
            item: { code: diagnosis.diagnosis_code, description: diagnosis.description },
          }))
        }}
        onPick={(diagnosis) => {
          if (draft.diagnoses.some(({ code }) => code === diagnosis.code)) return
          change({ diagnoses: [...draft.diagnoses, diagnosis] })
        }}
      />
      <CodeConflicts draft={draft} />
    </div>
  )
}

/** Codes that exclude each other are not refused with the order, but by the insurer. */
function CodeConflicts({ draft }: Pick<PartProps, 'draft'>): ReactNode {
  const { team, key } = useEnvironment()
  const codes = draft.diagnoses.map(({ code }) => code)
  const { data } = useQuery({
    queryKey: [...key, 'icd_codes', codes],
    queryFn: ({ signal }) =>
      unwrapResponse(team.POST('/v3/insurance/validate_icd_codes', { body: { codes }, signal })),
    enabled: codes.length > 1,
  })
  if (!data || data.violations.length === 0) return null
  return (
    <ul className="part-problems">
      {data.violations.map(({ code, conflicts_with: other }) => (
        <li key={`${code}/${other}`}>
          {code} and {other} exclude each other, so the insurer refuses the claim.
        </li>
      ))}
    </ul>
  )
}

export const policyQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'insurance', userId],
    queryFn: async ({ signal }) => {
      const params = { path: { user_id: userId }, query: { limit: 1 } }
      const { data } = await unwrapResponse(
        team.GET('/v2/user/{user_id}/insurance', { params, signal }),
      )
      return data[0] ?? null
    },
  })

/** Shows the policy that is billed, or a form that adds one. */
function Insurance({ userId, ...props }: PartProps & { userId: string }): ReactNode {
  const { data } = useQuery(policyQuery(useEnvironment(), userId))
  if (data === undefined) return null
  if (data === null) return <AddInsurance {...props} userId={userId} />
  return (
    <p>
      The insurer is <strong>{data.company.name}</strong>, member <code>{data.member_id}</code>.
    </p>
  )
}
