import { Button } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { baseUrl, CONSOLE_HEADER, forgetTokens } from '../api/client.ts'
import { sessionQuery, useSession } from '../api/session.ts'

/** Who is signed in, and the way out. */
export function UserMenu(): ReactNode {
  const { key } = useSession()
  const queryClient = useQueryClient()
  const router = useRouter()
  const signOut = async (): Promise<void> => {
    await fetch(`${baseUrl}/v1/console/session`, { method: 'DELETE', headers: CONSOLE_HEADER })
    forgetTokens()
    queryClient.clear()
    queryClient.setQueryData(sessionQuery.queryKey, null)
    await router.navigate({ to: '/signin' })
  }
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<IconLogout size={18} stroke={1.6} aria-hidden />}
      title={`Signed in with the management key “${key.label}”`}
      onClick={signOut}
    >
      Sign out
    </Button>
  )
}
