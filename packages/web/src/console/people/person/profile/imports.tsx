import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { Allowed } from '../../../components/allowed.tsx'
import { IconUpload } from '../../../components/icons.tsx'
import { Section } from '../../../components/page.tsx'
import { ImportList } from '../imports/earlier-imports.tsx'
import { importsQuery } from '../imports/import-queries.ts'

/** Lists imported files of the person, with the way to import another. */
export function Imports({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const { teamId: team, env } = environment
  const { data: jobs } = useSuspenseQuery(importsQuery(environment, userId))
  return (
    <Section
      title="Imported files"
      actions={
        <Allowed to="health:write">
          <Button
            variant="outline"
            leftSection={<IconUpload size={18} aria-hidden />}
            renderRoot={(props) => (
              <Link
                {...props}
                to="/$team/$env/people/$user/import"
                params={{ team, env, user: userId }}
              />
            )}
          >
            Import file
          </Button>
        </Allowed>
      }
    >
      {jobs.length === 0 ? (
        <p className="quiet person-line">Nothing was imported yet.</p>
      ) : (
        <ImportList userId={userId} jobs={jobs} />
      )}
    </Section>
  )
}
