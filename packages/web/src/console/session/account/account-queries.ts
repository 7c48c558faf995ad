import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { management, unwrapResponse } from '../../api/client.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { sessionQuery } from '../../api/session.ts'

export type Account = components['schemas']['ConsoleUser']

/** The signed-in user, with what they sign in with. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => unwrapResponse(management.GET('/v1/console/user', { signal })),
})

/** Changes something of the signed-in user, and reads it and the session again. */
export function useAccountChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey })
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
}
