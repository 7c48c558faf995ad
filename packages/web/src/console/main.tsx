import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { theme } from '../theme/theme.ts'
import '../theme/theme.css'
import './console.css'
import { ApiError } from './api/api-error.ts'
import { clearTokens, onSessionEnded } from './api/client.ts'
import { sessionQuery } from './api/session.ts'
import { createConsoleRouter } from './router.tsx'

/** Returns whether a repeated request may succeed: there was no response, or the server failed. */
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

// Loads the code of the page while the session is requested.
for (const { routeId } of router.matchRoutes(router.latestLocation)) {
  router
    .loadRouteChunk(router.routesById[routeId as keyof typeof router.routesById])
    ?.catch(() => {})
}

onSessionEnded(() => {
  clearTokens()
  queryClient.clear()
  queryClient.setQueryData(sessionQuery.queryKey, null)
  router.invalidate()
})

// CSS variables come from files: inline styles would need an exception in the content security
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
