import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../api/client.ts'
import { useEnvironment } from '../api/environment.ts'
import { Dialog } from '../components/dialog.tsx'
import { Failure } from '../components/failure.tsx'
import { ZoneField } from './zone-field.tsx'

interface NewPersonDialogProps {
  isOpen: boolean
  onClose: () => void
}

/** Creates a person and opens their page. */
export function NewPersonDialog({ isOpen, onClose }: NewPersonDialogProps): ReactNode {
  const { key, team, teamId, env } = useEnvironment()
  const [clientId, setClientId] = useState('')
  const [zone, setZone] = useState('')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const creation = useMutation({
    mutationFn: () =>
      unwrapResponse(
        team.POST('/v2/user', {
          body: { client_user_id: clientId, fallback_time_zone: zone || null },
        }),
      ),
    onSuccess: ({ user_id: user }) => {
      queries.invalidateQueries({ queryKey: [...key, 'people'] })
      navigate({ to: '/$team/$env/people/$user', params: { team: teamId, env, user } })
    },
  })
  return (
    <Dialog title="Add person" isOpen={isOpen} onClose={onClose}>
      <form
        className="people-form"
        onSubmit={(event) => {
          event.preventDefault()
          creation.mutate()
        }}
      >
        <TextInput
          label="Client id"
          description="Your own id of the person, unique in this environment. Do not use personal data such as a name or an e-mail address."
          required
          maxLength={255}
          autoComplete="off"
          value={clientId}
          onChange={({ currentTarget }) => setClientId(currentTarget.value)}
        />
        <ZoneField value={zone} onChange={setZone} />
        {creation.error !== null && <Failure error={creation.error} />}
        <div className="people-form-actions">
          <Button variant="subtle" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={creation.isPending} disabled={clientId.trim() === ''}>
            Add person
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
