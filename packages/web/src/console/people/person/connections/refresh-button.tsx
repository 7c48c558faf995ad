import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { toApiError } from '../../../api/api-error.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { IconRefresh } from '../../../components/icons.tsx'

interface Outcome {
  refreshed_sources: string[]
  in_progress_sources: string[]
  failed_sources: string[]
}

/** Pulls the newest data of every cloud connection, and shows the outcome. */
export function RefreshButton({ userId }: { userId: string }): ReactNode {
  const { key, team } = useEnvironment()
  const queries = useQueryClient()
  const refresh = useMutation({
    mutationFn: async (): Promise<Outcome> => {
      const params = { path: { user_id: userId } }
      const { data, error, response } = await team.POST('/v2/user/refresh/{user_id}', { params })
      if (data !== undefined) return data
      // Only this error has its message at the top.
      const text = (error as { error?: unknown } | undefined)?.error
      throw typeof text === 'string' ? new Error(text) : toApiError(response.status, error)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [...key, 'person', userId] }),
  })
  return (
    <>
      <span className="refresh-outcome" role="status">
        {refresh.data !== undefined && describeOutcome(refresh.data)}
        {refresh.error?.message}
      </span>
      <Button
        variant="outline"
        leftSection={<IconRefresh size={18} aria-hidden />}
        loading={refresh.isPending}
        onClick={() => refresh.mutate()}
      >
        Pull newest data
      </Button>
    </>
  )
}

function describeOutcome(outcome: Outcome): string {
  const parts = [
    [outcome.refreshed_sources, 'up to date'],
    [outcome.in_progress_sources, 'in progress'],
    [outcome.failed_sources, 'failed'],
  ] as const
  return parts
    .filter(([sources]) => sources.length > 0)
    .map(([sources, words]) => `${sources.join(', ')}: ${words}`)
    .join('; ')
}
