import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { IconAlertTriangle } from '../../../components/icons.tsx'
import { Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import { RemovedAndKept } from '../../../rights/erasures/removed-and-kept.tsx'
import { holdsQuery } from '../../../rights/holds/hold-queries.ts'
import { KeyLabel } from '../../../rights/key-label.tsx'
import { type Person, usePerson } from '../person-queries.ts'

/** Erases the person permanently, after showing what is removed; refused under a legal hold. */
export function ErasePerson({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const person = usePerson(userId)
  const { data: holds } = useQuery(holdsQuery(environment, { user_id: userId }))
  const [isAsking, setAsking] = useState(false)
  const hold = holds?.find(({ released_at: at }) => at === null)
  return (
    <Section
      id="erasure"
      title="Erasure"
      description="Hides the person at once and removes all their data two minutes later, with a signed receipt. Unlike a deletion, it cannot be undone."
      actions={
        <Button
          variant="outline"
          className="rights-danger"
          disabled={holds === undefined || hold !== undefined}
          aria-describedby={hold && 'erasure-blocked'}
          onClick={() => setAsking(true)}
        >
          Erase person
        </Button>
      }
    >
      {hold !== undefined && (
        <p id="erasure-blocked" className="rights-blocked">
          <IconAlertTriangle size={18} aria-hidden />
          <span>
            Blocked by the legal hold “{hold.reason}”, placed <Instant at={hold.placed_at} /> by{' '}
            <KeyLabel id={hold.placed_by} />. Release it first.
          </span>
        </p>
      )}
      <Dialog title="Erase the person?" isOpen={isAsking} onClose={() => setAsking(false)}>
        <ErasureForm person={person} onClose={() => setAsking(false)} />
      </Dialog>
    </Section>
  )
}

function useErasure({ user_id }: Person) {
  const { key, team, teamId, env } = useEnvironment()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () =>
      unwrapResponse(team.POST('/v2/user/{user_id}/erasure', { params: { path: { user_id } } })),
    onSuccess: async (erasure) => {
      const params = { team: teamId, env, erasure: erasure.id }
      await navigate({ to: '/$team/$env/rights/erasures/$erasure', params })
      queries.removeQueries({ queryKey: [...key, 'person', user_id] })
      await queries.invalidateQueries({ queryKey: [...key, 'erasures'] })
      await queries.invalidateQueries({ queryKey: [...key, 'people'] })
    },
  })
}

function ErasureForm({ person, onClose }: { person: Person; onClose: () => void }): ReactNode {
  const { key, team } = useEnvironment()
  const { user_id, client_user_id: clientId } = person
  const [typed, setTyped] = useState('')
  const erasure = useErasure(person)
  const trial = useQuery({
    queryKey: [...key, 'person', user_id, 'erasure trial'],
    queryFn: ({ signal }) => {
      const params = { path: { user_id } }
      return unwrapResponse(team.POST('/v2/user/{user_id}/erasure/dry_run', { params, signal }))
    },
    // The counts change, so they are not cached.
    gcTime: 0,
    retry: false,
  })
  return (
    <form
      className="rights-dialog"
      onSubmit={(event) => {
        event.preventDefault()
        erasure.mutate()
      }}
    >
      <p>The erasure permanently removes:</p>
      {trial.error !== null && <Failure error={trial.error} onRetry={trial.refetch} />}
      {trial.isPending && <Waiting label="Counting the data" lines={4} />}
      {trial.data !== undefined && (
        <>
          <RemovedAndKept findings={trial.data} />
          <TextInput
            label={
              <>
                Type the client id <code>{clientId}</code> to confirm
              </>
            }
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </>
      )}
      {erasure.error !== null && <Failure error={erasure.error} />}
      <div className="rights-dialog-end">
        <Button variant="subtle" onClick={onClose}>
          Keep person
        </Button>
        <Button
          type="submit"
          className="rights-danger-fill"
          loading={erasure.isPending}
          disabled={trial.data === undefined || typed.trim() !== clientId}
        >
          Erase person
        </Button>
      </div>
    </form>
  )
}
