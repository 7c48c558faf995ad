import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { theme } from '../theme/theme.ts'
import '../theme/theme.css'
import './console.css'
import { ApiError } from './api/api-error.ts'
import { forgetTokens, onSessionEnded } from './api/client.ts'
import { sessionQuery } from './api/session.ts'
import { createConsoleRouter } from './router.tsx'

/**
 * What may be different when the same is asked again: nothing was answered, or the server was at
 * fault.
 */
const isTransient = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && isTransient(error),
    },
    mutations: { retry: false },
  },
})
const router = createConsoleRouter(queryClient)

// The code of the page is loaded while the server is asked who is signed in.
for (const { routeId } of router.matchRoutes(router.latestLocation)) {
  router
    .loadRouteChunk(router.routesById[routeId as keyof typeof router.routesById])
    ?.catch(() => {})
}

onSessionEnded(() => {
  forgetTokens()
  queryClient.clear()
  queryClient.setQueryData(sessionQuery.queryKey, null)
  router.invalidate()
})

// Variables come from files: a page that makes styles would need a hole in the content security
// policy.
const mantine = {
  theme,
  withCssVariables: false,
  withGlobalClasses: false,
  withStaticClasses: true,
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <MantineProvider {...mantine} defaultColorScheme="auto">
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>,
)
