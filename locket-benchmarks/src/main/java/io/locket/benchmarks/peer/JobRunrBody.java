package io.locket.benchmarks.peer;

/**
 * Body of the jobs of JobRunr, which calls only public methods of public classes.
 */
public final class JobRunrBody {

	private final Runnable action;

	JobRunrBody(Runnable action) {
		this.action = action;
	}

	/**
	 * Does the job.
	 * @param number the number of the job
	 */
	public void work(int number) {
		this.action.run();
	}

}
