import { serveTasks } from '../../../src/offload/serve-tasks.ts';
import * as tasks from './sample-tasks.ts';

serveTasks(Object.values(tasks));
