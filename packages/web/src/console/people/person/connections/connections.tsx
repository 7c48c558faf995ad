import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { Allowed } from '../../../components/allowed.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { IconLink } from '../../../components/icons.tsx'
import { Section } from '../../../components/page.tsx'
import { connectionsQuery, providersQuery, resourcesQuery } from '../person-queries.ts'
import { ConnectionCard } from './connection-card.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { RefreshButton } from './refresh-button.tsx'
import './connections.css'

/** Lists the connections of the person, and creates links to connect more. */
export function Connections({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const { data: connections } = useSuspenseQuery(connectionsQuery(environment, userId))
  const { data: resources } = useSuspenseQuery(resourcesQuery(environment, userId))
  const { data: providers } = useSuspenseQuery(providersQuery(environment))
  const [isLinking, setLinking] = useState(false)
  const isPulled = (slug: string): boolean => providers.get(slug)?.auth_type !== 'sdk'
  const linkButton = (
    <Allowed to="connections:write">
      <Button
        variant="outline"
        leftSection={<IconLink size={18} aria-hidden />}
        onClick={() => setLinking(true)}
      >
        Connect account
      </Button>
    </Allowed>
  )
  return (
    <Section
      id="connections"
      title="Connections"
      actions={
        <>
          {connections.some(({ slug }) => isPulled(slug)) && (
            <Allowed to="connections:write">
              <RefreshButton userId={userId} />
            </Allowed>
          )}
          {connections.length > 0 && linkButton}
        </>
      }
    >
      {connections.length === 0 ? (
        <EmptyState title="No connections yet." action={linkButton}>
          Create a link and send it to the person, who chooses a provider and signs in there. Data
          of phones and meters come from your app.
        </EmptyState>
      ) : (
        <ul className="connections">
          {connections.map((connection) => (
            <ConnectionCard
              key={connection.slug}
              userId={userId}
              connection={connection}
              resources={resources[connection.slug] ?? {}}
              isPulled={isPulled(connection.slug)}
            />
          ))}
        </ul>
      )}
      <LinkDialog userId={userId} isOpen={isLinking} onClose={() => setLinking(false)} />
    </Section>
  )
}
