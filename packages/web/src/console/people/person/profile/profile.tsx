import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { Allowed } from '../../../components/allowed.tsx'
import { Section } from '../../../components/page.tsx'
import { formatHeight, useUnits } from '../../../components/units.ts'
import { formatDate } from '../local-time.ts'
import { demographicsQuery, resourcesQuery, usePerson } from '../person-queries.ts'
import { DeletePerson } from './delete-person.tsx'
import { Imports } from './imports.tsx'
import { PersonSettings } from './person-settings.tsx'

/** Shows the demographics of the person, their settings, and the deletion. */
export function Profile({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const person = usePerson(userId)
  const { data: resources } = useSuspenseQuery(resourcesQuery(environment, userId))
  const hasProfile = Object.values(resources).some((held) => held.profile?.newest_data)
  return (
    <>
      <PersonSettings key={person.user_id} person={person} />
      {person.name_from === 'demographics' ? (
        <Demographics userId={userId} />
      ) : (
        <Section title="Demographics">
          <p className="quiet person-line">
            {person.name_from === 'order'
              ? 'No demographics yet. The name above is that of the patient in the newest order.'
              : 'No demographics yet. Laboratories need them; store them with the person or place them with an order.'}
          </p>
        </Section>
      )}
      {hasProfile && <BodyProfile userId={userId} />}
      <Imports userId={userId} />
      <Allowed to="people:write">
        <DeletePerson person={person} />
      </Allowed>
    </>
  )
}

function Facts({
  facts,
}: {
  facts: [title: string, value: string | null | undefined][]
}): ReactNode {
  return (
    <dl className="fact-grid profile-facts">
      {facts.map(([title, value]) =>
        value ? (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  )
}

function Demographics({ userId }: { userId: string }): ReactNode {
  const { data: info } = useSuspenseQuery(demographicsQuery(useEnvironment(), userId))
  if (info === null) return null
  const { address } = info
  return (
    <Section title="Demographics" description="The data that laboratories receive about a patient.">
      <Facts
        facts={[
          ['Name', `${info.first_name} ${info.last_name}`],
          ['Born', formatDate(info.dob)],
          ['Gender', info.gender],
          ['E-mail', info.email],
          ['Telephone', info.phone_number],
          [
            'Address',
            [
              address.first_line,
              address.second_line,
              `${address.city}, ${address.state} ${address.zip}`,
              address.country,
            ]
              .filter(Boolean)
              .join(', '),
          ],
          ['Race', info.race?.replaceAll('_', ' ')],
          ['Ethnicity', info.ethnicity?.replaceAll('_', ' ')],
        ]}
      />
    </Section>
  )
}

function BodyProfile({ userId }: { userId: string }): ReactNode {
  const { key, team } = useEnvironment()
  const units = useUnits()
  const { data: profile } = useSuspenseQuery({
    queryKey: [...key, 'person', userId, 'body profile'],
    queryFn: ({ signal }) => {
      const params = { path: { user_id: userId } }
      return unwrapResponse(team.GET('/v2/summary/profile/{user_id}', { params, signal }))
    },
  })
  return (
    <Section title="From the provider" description={`As reported by ${profile.source.name}.`}>
      <Facts
        facts={[
          ['Born', profile.birth_date && formatDate(profile.birth_date)],
          ['Height', profile.height === null ? null : formatHeight(profile.height, units)],
          ['Sex', profile.sex],
          ['Gender', profile.gender],
          ['Wheelchair', profile.wheelchair_use ? 'used' : null],
        ]}
      />
    </Section>
  )
}
