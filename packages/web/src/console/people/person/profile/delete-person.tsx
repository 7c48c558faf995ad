import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Section } from '../../../components/page.tsx'
import type { Person } from '../person-queries.ts'

/** Deletes the person after a confirmation. */
export function DeletePerson({ person }: { person: Person }): ReactNode {
  const { key, team, teamId, env } = useEnvironment()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const deletion = useMutation({
    mutationFn: () =>
      unwrapResponse(
        team.DELETE('/v2/user/{user_id}', { params: { path: { user_id: person.user_id } } }),
      ),
    onSuccess: async () => {
      await navigate({ to: '/$team/$env/people', params: { team: teamId, env } })
      queries.removeQueries({ queryKey: [...key, 'person', person.user_id] })
      await queries.invalidateQueries({ queryKey: [...key, 'people'] })
    },
  })
  return (
    <Section
      title="Deletion"
      description="Hides the person at once, ends every connection, and erases all data and orders after seven days."
      actions={
        <Button variant="outline" onClick={() => setAsking(true)}>
          Delete person
        </Button>
      }
    >
      <Dialog
        title="Delete the person?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button variant="subtle" onClick={() => setAsking(false)}>
              Keep person
            </Button>
            <Button loading={deletion.isPending} onClick={() => deletion.mutate()}>
              Delete person
            </Button>
          </>
        }
      >
        <p>
          <code>{person.client_user_id}</code> is hidden at once, with orders, results and events.
          For seven days you can undo this with <code>POST /v2/user/undo_delete</code>, but
          connections do not come back.
        </p>
        {deletion.error !== null && <Failure error={deletion.error} />}
      </Dialog>
    </Section>
  )
}
