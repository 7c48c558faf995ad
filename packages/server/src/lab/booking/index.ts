export { listPhlebotomyProviders } from './availability/area-availability.service.ts'
export { bookingJobs } from './booking.jobs.ts'
export { registerBookingRoutes } from './booking.routes.ts'
