package kotlin.coroutines;

/**
 * Stands in for Kotlin's own, which is the last parameter of a suspend function.
 *
 * @param <T> the type of the result
 */
public interface Continuation<T> {

}
