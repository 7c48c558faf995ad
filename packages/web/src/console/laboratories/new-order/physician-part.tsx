import { Button, TextInput } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import { hasText, NEW_DRAFT, type PhysicianField } from './order-draft.ts'
import { errorOf, FormPart, type PartProps } from './part.tsx'

const physiciansQuery = ({ key, team, teamId }: Environment) =>
  queryOptions({
    queryKey: [...key, 'physicians'],
    queryFn: ({ signal }) => {
      const params = { path: { team_id: teamId } }
      return unwrapResponse(team.GET('/v2/team/{team_id}/physicians', { params, signal }))
    },
    staleTime: 60_000,
  })

const FIELDS: readonly [PhysicianField, string, string?][] = [
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
  ['npi', 'NPI', 'Ten digits.'],
  ['email', 'E-mail (optional)'],
  [
    'licensed_states',
    'Licensed in (optional)',
    'States by two letters, such as AZ, CA. The patient’s state must be among them.',
  ],
]

/** The physician of the order: the team's own, or one of the installation's network. */
export function PhysicianPart(props: PartProps): ReactNode {
  const { draft, change, problems, demands, isTried } = props
  const { data: known = [] } = useQuery(physiciansQuery(useEnvironment()))
  const isFilled = hasText(draft.physician)
  return (
    <FormPart
      id="physician"
      problems={problems}
      isTried={isTried}
      shown={['physician.first_name', 'physician.last_name', 'physician.npi', 'physician.email']}
      description={describeNeed(demands?.needs_physician)}
    >
      {known.length > 0 && (
        <div className="physicians">
          {known.map((physician) => (
            <button
              key={physician.npi}
              type="button"
              className="saved-view"
              aria-pressed={draft.physician.npi === physician.npi}
              onClick={() => change({ physician: { ...NEW_DRAFT.physician, ...physician } })}
            >
              {physician.first_name} {physician.last_name}
            </button>
          ))}
        </div>
      )}
      <div className="field-grid">
        {FIELDS.map(([field, label, description]) => (
          <TextInput
            key={field}
            label={label}
            description={description}
            autoComplete="off"
            value={draft.physician[field]}
            error={errorOf(props, `physician.${field}`)}
            onChange={({ currentTarget }) =>
              change({ physician: { ...draft.physician, [field]: currentTarget.value } })
            }
          />
        ))}
      </div>
      {isFilled && (
        <div>
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => change({ physician: NEW_DRAFT.physician })}
          >
            Remove physician
          </Button>
        </div>
      )}
    </FormPart>
  )
}

function describeNeed(isNeeded: boolean | null | undefined): string {
  if (isNeeded === true) return 'This order requires a physician of yours.'
  if (isNeeded === false) return 'Without a name, a physician of the network orders.'
  return 'The laboratory and the state of the patient decide whether one is required.'
}
