/** The thread that tasks run in. */
import { serveTasks } from '../../offload/serve-tasks.ts';
import { TASKS } from '../tasks.ts';

serveTasks(TASKS);
