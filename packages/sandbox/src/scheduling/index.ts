export { createSchedulingSimulator } from './scheduling-simulator.ts'
